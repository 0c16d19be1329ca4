import { Badge } from "../ui/badge.tsx";

export function AccountBadges({
  provider: { isActive, isVerified, isSuperAdmin },
}: {
  provider: { isActive: boolean; isVerified: boolean; isSuperAdmin: boolean };
}) {
  return (
    <span className="cluster gap-1">
      <Badge tone={isActive ? "fresh" : "hot"}>{isActive ? "Active" : "Inactive"}</Badge>
      {isVerified && <Badge>Verified</Badge>}
      {isSuperAdmin && <Badge tone="warm">Super admin</Badge>}
    </span>
  );
}

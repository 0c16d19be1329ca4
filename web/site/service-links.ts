import type { IconName } from "../ui/icon.tsx";

/** The six service pages, as the header, the footer and the menu list them. */
export const SERVICE_LINKS = [
  { href: "/service/lawn-mowing", name: "Lawn Mowing", icon: "mower" },
  { href: "/service/garden-cleanup", name: "Garden Cleanup", icon: "rake" },
  { href: "/service/yard-cleanup", name: "Yard Cleanup", icon: "leaf" },
  { href: "/service/outdoor-cleaning", name: "Green Waste Removal", icon: "skip" },
  { href: "/service/pressure-washing", name: "Pressure Washing", icon: "spray" },
  { href: "/service/hedge-trimming", name: "Hedge Trimming", icon: "hedge" },
] as const satisfies readonly { href: string; name: string; icon: IconName }[];

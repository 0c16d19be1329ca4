import { MessagesPart } from "./messages.tsx";
import { PartsPage } from "./parts-page.tsx";
import { SuburbsPart } from "./suburbs.tsx";

/** Shows what admins set up for all users. */
export default function AdminSettingsPage() {
  return (
    <PartsPage
      title="Settings"
      path="/admin/settings"
      parts={[
        { label: "Suburbs", Content: SuburbsPart },
        { show: "messages", label: "Messages", Content: MessagesPart },
      ]}
    />
  );
}

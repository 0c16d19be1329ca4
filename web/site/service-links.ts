import type { PageServiceId } from "../../contract/catalogue.ts";
import type { IconName } from "../ui/icon.tsx";

/** The six service pages, in the order of the header, the footer and the menu. */
export const SERVICE_LINKS = [
  { id: "lawn_mowing", href: "/service/lawn-mowing", name: "Lawn Mowing", icon: "mower" },
  { id: "garden_cleanup", href: "/service/garden-cleanup", name: "Garden Cleanup", icon: "rake" },
  { id: "yard_cleanup", href: "/service/yard-cleanup", name: "Yard Cleanup", icon: "leaf" },
  { id: "green_waste_removal", href: "/service/outdoor-cleaning", name: "Green Waste Removal", icon: "skip" },
  { id: "pressure_washing", href: "/service/pressure-washing", name: "Pressure Washing", icon: "spray" },
  { id: "hedge_trimming", href: "/service/hedge-trimming", name: "Hedge Trimming", icon: "hedge" },
] as const satisfies readonly { id: PageServiceId; href: string; name: string; icon: IconName }[];

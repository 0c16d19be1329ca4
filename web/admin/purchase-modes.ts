/** How a provider came by a lead, in words. */
export const PURCHASE_MODE_NAMES: Readonly<Record<string, string>> = {
  stripe: "Card",
  direct: "No card",
  claimed: "Claimed free",
  assigned: "Given by an admin",
  manual: "Added by hand",
};

/** Labels for how a provider got a lead. */
export const PURCHASE_MODE_NAMES: Readonly<Record<string, string>> = {
  stripe: "Card",
  direct: "No card",
  claimed: "Claimed free",
  assigned: "Assigned by an admin",
  manual: "Added by hand",
};

export const OVERVIEW_KEY = ["admin", "overview"] as const;

/** Returns the keys to reload after an action: an admin list, the provider's page and the counts of waiting items. */
export const adminKeys = (list: string) => [["admin", list], ["admin", "provider"], OVERVIEW_KEY];

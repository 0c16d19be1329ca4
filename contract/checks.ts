/** What a business can prove. A licence is needed for residential building work over $5,000. */
export const CHECK_KINDS = ["abn", "insurance", "police", "licence"] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** `waiting`: an admin has not decided yet. `ended`: it was valid until its last day. `replaced`: by a newer one. */
export const CHECK_STATES = ["waiting", "valid", "refused", "ended", "replaced"] as const;
export type CheckState = (typeof CHECK_STATES)[number];

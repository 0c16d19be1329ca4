/**
 * Choices of `LEAD_FIELDS` that other forms also use. They are in their own file, so that those forms do not load the
 * whole table.
 */
export const PROPERTY_SIZES = ["small", "medium", "large", "extra_large"] as const;
export const URGENCIES = ["urgent", "within_week", "within_month", "flexible"] as const;

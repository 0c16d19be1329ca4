/** Lists of a lead's table that other forms use too. Apart from it, so that their scripts load without the table. */
export const PROPERTY_SIZES = ["small", "medium", "large", "extra_large"] as const;
export const URGENCIES = ["urgent", "within_week", "within_month", "flexible"] as const;

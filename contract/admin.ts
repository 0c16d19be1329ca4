/** Number of items waiting for a super admin, by list. */
export type AdminOverview = {
  quarantined: number;
  badLeads: number;
  checks: number;
  guarantee: number;
  attention: number;
  bookings: number;
  reviews: number;
};

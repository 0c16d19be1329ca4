/** Holes in the Worker, each a small change to its source. The attack must notice every one. */

export type Hole = {
  /** What the hole exposes, in a sentence. */
  name: string;
  /** Path from the project root. */
  file: string;
  /** Text that occurs in the file exactly once. «…» encloses the expression that the hole replaces. */
  find: string;
  /** The expression to put in its place. */
  put: string;
  /** Whether the expression is a route handler. The Worker creates routes when it loads, before a hole opens. */
  isHandler?: true;
  /** The routes that the hole affects. */
  routes: readonly string[];
};

const PAYMENTS = "worker/selling/payments/queries.ts";
const PASSKEYS = "worker/identity/passkeys/store.ts";
const STAGES = "worker/pipeline/purchases/commands.ts";
const GATES = "worker/identity/access.ts";
const PHOTOS = "worker/leads/photos/routes.ts";

export const HOLES: readonly Hole[] = [
  {
    name: "rivals read a customer's whole phone number",
    file: "worker/leads/views.ts",
    find: "customerPhone: «maskPhone(lead.customerPhone)»",
    put: "lead.customerPhone",
    routes: ["GET /api/leads"],
  },
  {
    name: "rivals read a customer's surname",
    file: "worker/leads/queries.ts",
    find: ".select(«SHOWN»)",
    put: "{ ...SHOWN, redactedName: leads.customerName }",
    routes: ["GET /api/leads"],
  },
  {
    name: "every provider reads leads as super admins do",
    file: "worker/leads/routes.ts",
    find: '«c.get("session").user.isSuperAdmin»\n        ? listAvailable',
    put: "true",
    routes: ["GET /api/leads"],
  },
  {
    name: "every owner reads any receipt",
    file: PAYMENTS,
    find: "and(«eq(payments.buyerId, scope.businessId)», inArray(payments.state, [...RECEIPT_STATES]))",
    put: "undefined",
    routes: ["GET /api/payments/:id"],
  },
  {
    name: "every owner releases any hold",
    file: PAYMENTS,
    find: "and(eq(payments.holdId, holdId), «eq(payments.buyerId, scope.businessId)»)",
    put: "undefined",
    routes: ["DELETE /api/exchange/holds/:id"],
  },
  {
    name: "every provider turns off and tests any device",
    file: "worker/messages/commands.ts",
    find: "and(«eq(pushDevices.userId, scope.userId)», eq(pushDevices.id, id))!",
    put: "undefined",
    routes: ["DELETE /api/notifications/devices/:id", "POST /api/notifications/devices/:id/test"],
  },
  {
    name: "every owner downloads the audit log",
    file: "worker/identity/audit/admin-routes.ts",
    find: '"/audit.csv", «access.superAdmin»',
    put: "access.owner",
    isHandler: true,
    routes: ["GET /api/super-admin/audit.csv"],
  },
  {
    name: "every provider reads any purchase",
    file: "worker/selling/purchases/queries.ts",
    find: "return and(\n    «eq(leadPurchases.buyerId, scope.businessId)»,",
    put: "undefined",
    routes: ["GET /api/lead-purchases/:id"],
  },
  {
    name: "every provider changes the stage of any purchase",
    file: STAGES,
    find: "const row = await «requirePurchase(db, scope, id)»;\n    if (changeKey",
    put: "db.select().from(leadPurchases).where(eq(leadPurchases.id, id)).then(([found]) => found!)",
    routes: ["PATCH /api/lead-purchases/:id/sales-stage"],
  },
  {
    name: "a lead can be assigned to another business's member",
    file: STAGES,
    find: "«or(eq(users.id, scope.businessId), isMemberOf(scope))»",
    put: "undefined",
    routes: ["PATCH /api/lead-purchases/:id/sales-stage"],
  },
  {
    name: "every owner removes any purchase",
    file: "worker/pipeline/purchases/commands.ts",
    find: "const row = «isSuperAdmin» ? await findAnyPurchase",
    put: "true",
    routes: ["DELETE /api/lead-purchases/:id"],
  },
  {
    name: "the pipeline lists every business's leads",
    file: "worker/pipeline/queries.ts",
    find: "«eq(leadPurchases.buyerId, scope.businessId)»,\n        isNull(leadPurchases.removedAt),\n        tile",
    put: "undefined",
    routes: ["GET /api/pipeline"],
  },
  {
    name: "team members export the pipeline",
    file: "worker/pipeline/routes.ts",
    find: '"/export.csv", «access.owner»',
    put: "access.business",
    isHandler: true,
    routes: ["GET /api/pipeline/export.csv"],
  },
  {
    name: "every owner manages any team member",
    file: "worker/identity/team/store.ts",
    find: "and(«eq(users.teamOwnerId, scope.businessId)», isNull(users.removedAt))",
    put: "undefined",
    routes: ["PUT /api/team-members/:id/alerts", "DELETE /api/team-members/:id"],
  },
  {
    name: "every user renames any passkey",
    file: PASSKEYS,
    find: ".where(and(eq(passkeys.id, id), «eq(passkeys.userId, userId)»))",
    put: "undefined",
    routes: ["PATCH /api/passkeys/:id"],
  },
  {
    name: "every user removes any passkey",
    file: PASSKEYS,
    find: "const isTheirs = and(eq(passkeys.id, id), «eq(passkeys.userId, userId)»)",
    put: "undefined",
    routes: ["DELETE /api/passkeys/:id"],
  },
  {
    name: "every user ends any session",
    file: "worker/identity/account/commands.ts",
    find: "and(«eq(sessions.userId, session.user.id)», eq(sessions.id, sessionId))",
    put: "undefined",
    routes: ["DELETE /api/user/sessions/:id"],
  },
  {
    name: "an impersonating admin reads bank details",
    file: "worker/identity/account/routes.ts",
    find: '.get("/", access.owner, «notImpersonating», async',
    put: "(_, next) => next()",
    isHandler: true,
    routes: ["GET /api/user/bank-details"],
  },
  {
    name: "every signed-in user is a super admin",
    file: GATES,
    find: "if («!session.user.isSuperAdmin || session.impersonatorId !== null») {",
    put: "false",
    routes: ["GET /api/super-admin/overview"],
  },
  {
    name: "a deactivated provider stays signed in",
    file: "worker/identity/auth/queries.ts",
    // The condition itself is in a prepared statement, which is built once.
    find: "await «statement.all({ tokenHash, now })»",
    put: "db.select({ session: sessions, user: users }).from(sessions).innerJoin(users, isSessionUser).where(eq(sessions.tokenHash, tokenHash))",
    routes: ["GET /api/user/personal-info"],
  },
  {
    name: "every provider sees any photo",
    file: PHOTOS,
    find: "if («photo.businessId === scope.businessId») return true;",
    put: "true",
    routes: ["GET /api/photos/:id/:size"],
  },
  {
    name: "every provider offers and deletes any photo",
    file: PHOTOS,
    find: "if («photo?.businessId !== scope.businessId») throw notFound();",
    put: "!photo",
    routes: ["PATCH /api/photos/:id", "DELETE /api/photos/:id"],
  },
  {
    name: "any request's link removes any photo",
    file: "worker/customer/request/photo-routes.ts",
    find: "const isCustomer = «link !== null && photo?.leadId === link.first.id»;",
    put: "link !== null",
    routes: ["POST /api/photos/:id/removal"],
  },
  {
    name: "a photo is public with the consent of one side",
    file: "worker/leads/photos/queries.ts",
    find: "and(eq(photos.id, id), «isShown», isProfileShown)",
    put: "inArray(photos.kind, ['work', 'logo', 'before', 'after'])",
    routes: ["GET /api/photos/:id/:size"],
  },
  {
    name: "every owner replies to any review",
    file: "worker/pipeline/reviews/routes.ts",
    find: 'replyToReview(c.env.db, «c.get("scope")», id',
    put: '{ businessId: (await c.env.DB.prepare("SELECT business_id FROM reviews WHERE id = ?").bind(id).first())?.business_id ?? "" }',
    routes: ["POST /api/reviews/:id/reply"],
  },
  {
    name: "everyone reads hidden reviews",
    file: "worker/pipeline/reviews/queries.ts",
    find: "and(writtenFor(businessId), «isNull(reviews.hiddenRule)»)",
    put: "undefined",
    routes: ["GET /api/profiles/:slug"],
  },
  {
    name: "everyone reads a page that an admin has taken offline",
    file: "worker/pipeline/profiles/queries.ts",
    find: "and(eq(providerProfiles.slug, slug), «isProfileShown»)",
    put: "undefined",
    routes: ["GET /api/profiles/:slug"],
  },
  {
    name: "every owner downloads any certificate",
    file: "worker/identity/checks/queries.ts",
    find: "return «row?.businessId === scope.businessId» ? row : null;",
    put: "true",
    routes: ["GET /api/user/checks/:id/file"],
  },
  {
    name: "every owner contests any decision",
    file: "worker/pipeline/guarantee/case-commands.ts",
    find: "and(eq(guaranteeCases.purchaseId, purchaseId), «eq(guaranteeCases.buyerId, scope.businessId)»)",
    put: "undefined",
    routes: ["POST /api/lead-purchases/:id/contest"],
  },
  {
    name: "every owner spends any free claim",
    file: "worker/selling/purchases/credit-commands.ts",
    find: "WHERE buyer_id = ${«businessId»} AND used_at IS NULL",
    put: "sql`buyer_id`",
    routes: ["POST /api/leads/:id/claim-with-credit"],
  },
];

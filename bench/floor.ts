/**
 * The baseline for the market: the least work that can decide a claim. A bare Worker in front of a bare
 * Durable Object, with one insert and one broadcast, and a greeting if it gets one: no session, checks, history or log.
 */
import { DurableObject } from "cloudflare:workers";

type FloorEnv = { FLOOR: DurableObjectNamespace<FloorObject>; GREETING: string };

export class FloorObject extends DurableObject<FloorEnv> {
  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS claims (lead_id TEXT PRIMARY KEY, business_id TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  /** Gives the lead to the first claim. Responds to the buyer before it broadcasts, as the product does. */
  async claim(leadId: string, businessId: string): Promise<boolean> {
    const insert = "INSERT OR IGNORE INTO claims (lead_id, business_id) VALUES (?, ?)";
    const isClaimed = this.ctx.storage.sql.exec(insert, leadId, businessId).rowsWritten > 0;
    if (isClaimed) setTimeout(() => this.#broadcast(JSON.stringify({ kind: "gone", leadId })), 0);
    return isClaimed;
  }

  #broadcast(text: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(text);
  }

  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    if (this.env.GREETING) server.send(this.env.GREETING);
    return new Response(null, { status: 101, webSocket: client });
  }
}

export default {
  async fetch(request, env) {
    const object = env.FLOOR.get(env.FLOOR.idFromName("inner-west"));
    if (request.headers.has("Upgrade")) return object.fetch(request);
    const { leadId, businessId } = await request.json<{ leadId: string; businessId: string }>();
    const isClaimed = await object.claim(leadId, businessId);
    return Response.json({ isMine: isClaimed }, { status: isClaimed ? 200 : 409 });
  },
} satisfies ExportedHandler<FloorEnv>;

/** Finds the businesses of one person, who may open a second account to lose a bad record. */
import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: the ids of a business and of the others of its person: with the same checked ABN, or older ones with the same
 * phone number. No one checks a phone number, so a newer account cannot pass its record on to an older one.
 */
export const businessesOfPerson = (businessId: SQL | string): SQL => sql`(SELECT ${businessId}
  UNION SELECT other.id FROM users AS own CROSS JOIN users AS other ON other.phone_key = own.phone_key
    WHERE own.id = ${businessId} AND other.phone_key IS NOT NULL AND other.user_type = 'provider'
      AND other.created_at < own.created_at
  UNION SELECT other.business_id FROM provider_checks AS own CROSS JOIN provider_checks AS other ON other.number = own.number
    WHERE own.business_id = ${businessId} AND own.kind = 'abn' AND own.state = 'valid'
      AND other.kind = 'abn' AND other.state = 'valid')`;

/** Finds a person's businesses. Someone may open a second account to escape a bad record. */
import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: the IDs of a business and of the same person's other businesses, which have the same checked ABN. A phone number
 * does not count: no one checks it, so a provider could pass a bad record on to a rival by typing the rival's number.
 */
export const businessesOfPerson = (businessId: SQL | string): SQL => sql`(SELECT ${businessId}
  UNION SELECT other.business_id FROM provider_checks AS own CROSS JOIN provider_checks AS other ON other.number = own.number
    WHERE own.business_id = ${businessId} AND own.kind = 'abn' AND own.state = 'valid'
      AND other.kind = 'abn' AND other.state = 'valid')`;

/**
 * SQL: the ids of businesses that may be the same person's: with the same checked ABN or bank account, or older with the
 * same phone.
 */
export const mayBeSamePerson = (businessId: string): SQL => sql`(SELECT id FROM (
    SELECT id FROM users WHERE id IN ${businessesOfPerson(businessId)}
    UNION SELECT other.id FROM users AS own CROSS JOIN users AS other ON other.phone_key = own.phone_key
      WHERE own.id = ${businessId} AND other.phone_key IS NOT NULL AND +other.user_type = 'provider'
        AND +other.created_at < own.created_at
    UNION SELECT other.user_id FROM bank_details AS own CROSS JOIN bank_details AS other
      ON other.account_hash = own.account_hash WHERE own.user_id = ${businessId} AND other.account_hash IS NOT NULL)
  WHERE id <> ${businessId})`;

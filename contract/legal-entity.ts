/** The business that runs this site: the seller of the leads and the sender of the emails. */
export type LegalEntity = { name: string; abn: string; address: string };

/** Keeps the groups of an ABN on one line. */
const NO_BREAK = "\u00a0";

/** Returns one line that identifies the business, such as "Lawns Pty Ltd, ABN 51 824 753 556, PO Box 1, Ryde NSW 2112". */
export const describeLegalEntity = ({ name, abn, address }: LegalEntity) =>
  `${name}, ABN${NO_BREAK}${abn.replaceAll(" ", NO_BREAK)}, ${address}`;

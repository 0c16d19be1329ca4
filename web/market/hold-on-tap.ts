import { createContext } from "react";

/** Whether a tap on Buy takes a hold at once. True if the site takes cards. */
export const HoldsOnTap = createContext(false);

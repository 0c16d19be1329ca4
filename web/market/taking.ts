import { createContext } from "react";

/** Whether a tap on Buy takes a hold at once. True where cards are taken. */
export const TakesAtOnce = createContext(false);

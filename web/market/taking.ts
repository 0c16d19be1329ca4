import { createContext } from "react";

/** Whether a tap on Buy takes the lead at once, as it does where cards are taken. */
export const TakesAtOnce = createContext(false);

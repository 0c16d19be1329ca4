import { addresses } from "virtual:document-scripts";

import type { DocumentHandle } from "../documents/document-handle.ts";
import styles from "./photos.css?inline";

/** Returns the address of the module that lists picked photos, without its imports: the islands have loaded them. */
export const photosFile = () => addresses["photos/photo-list.tsx"]!.split(" ")[0]!;

/** Other pages do not need these styles. */
export const photosHandle: DocumentHandle = { styles: import.meta.env.SSR ? () => styles : undefined };

/** Compiled with the Worker: its runtime makes no module of bytes. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** Made by scripts/documents-plugin.ts. */
declare module "virtual:document-scripts" {
  /** Space-separated addresses by path below `web/`: the module first, then what it imports. */
  export const addresses: Readonly<Record<string, string>>;
  /** What pages contain instead of asking for `documents/document.ts`, and its hash for their policy; null in development. */
  export const inline: Readonly<{ code: string; hash: string }> | null;
  /** What pages of the application contain instead of asking for `app/early-taps.ts`; null in development. */
  export const earlyTaps: Readonly<{ code: string }> | null;
}

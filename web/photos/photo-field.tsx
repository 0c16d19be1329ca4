import { type ChangeEvent, useEffect, useRef, useState } from "react";

import { Icon } from "../ui/icon.tsx";
import type * as PhotoListModule from "./photo-list.tsx";
import { hasPhotos, type PhotoTarget } from "./photo-target.ts";

type Module = typeof PhotoListModule;

/**
 * Lets a visitor add photos to their request. Never blocks the request: uploads go on at the next page.
 * @param file the address of the module with the list, which loads at the first touch
 * @param getTarget returns the secret that attaches the photos to the request
 */
export function PhotoField({ file, getTarget }: { file: string; getTarget: () => PhotoTarget }) {
  const [loaded, setLoaded] = useState<Module | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function load(): Promise<Module | null> {
    if (loaded) return loaded;
    try {
      const module = (await import(/* @vite-ignore */ file)) as Module;
      if (!hasResumed) await module.resumePhotos(getTarget());
      hasResumed = true;
      setLoaded(module);
      return module;
    } catch {
      return null;
    }
  }

  async function pick() {
    const { files, value } = input.current!;
    const picked = [...(files ?? [])];
    // The same photo can be picked again.
    if (value) input.current!.value = "";
    if (picked.length === 0) return;
    const module = await load();
    setHasFailed(!module);
    await module?.addPhotos(getTarget(), picked);
  }

  useEffect(() => {
    if (hasPhotos()) void load();
    // The visitor may have picked photos before this code ran.
    void pick();
    // Runs once, right after hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <div className="field photos">
      <span className="photos__title">
        Photos <span className="field__optional">(optional)</span>
      </span>
      {loaded && <loaded.PhotoList />}
      <label className="button button--quiet photos__add" onPointerEnter={() => void load()}>
        <Icon name="camera" size={20} />
        <span>Add Photos</span>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept="image/*"
          multiple
          onFocus={() => void load()}
          onChange={(event: ChangeEvent) => {
            // A picked photo is no typed input.
            event.stopPropagation();
            void pick();
          }}
        />
      </label>
      <p className="field__hint">Up to four. Only the provider who takes your job sees them.</p>
      {hasFailed && (
        <p className="field__error">
          We couldn’t load the photo picker. Send your request anyway: you can add photos later.
        </p>
      )}
    </div>
  );
}

let hasResumed = false;

import { type ChangeEvent, useEffect, useRef, useState } from "react";

import { FormIcon } from "../ui/icon.tsx";
import type * as PhotoListModule from "./photo-list.tsx";
import { hasPhotos, type PhotoTarget } from "./photo-target.ts";

type Module = typeof PhotoListModule;

/**
 * Lets a visitor add photos to their request. Never blocks the request: the next page resumes the uploads. Small, because
 * the form's page loads it: the rest loads at the first touch.
 * @param file the address of the module with the list
 * @param getTarget returns the secret that attaches the photos to the request
 */
export function PhotoField({ file, getTarget }: { file: string; getTarget: () => PhotoTarget }) {
  const [picker, setPicker] = useState<Module | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  /** Loads the list, resumes stored uploads and enqueues the picked photos. After a failure the next touch retries. */
  async function start() {
    try {
      const module = (await import(/* @vite-ignore */ file)) as Module;
      setPicker(module);
      await module.enqueuePhotos(getTarget(), input.current!);
    } catch {
      setHasFailed(true);
    }
  }

  useEffect(() => {
    // The visitor may have picked photos before this code ran.
    if (hasPhotos() || input.current!.files?.length) void start();
    // Runs once, right after hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <div className="field photos">
      <span className="photos__title">
        Photos <span className="field__optional">(optional)</span>
      </span>
      {picker && <picker.PhotoList />}
      <label className="button button--quiet photos__add" onPointerEnter={start}>
        <FormIcon name="plus" />
        Add Photos
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept="image/*"
          multiple
          onFocus={start}
          onChange={(event: ChangeEvent) => {
            // A picked photo is no typed input.
            event.stopPropagation();
            void start();
          }}
        />
      </label>
      <p className="field__hint">Up to four. Only your provider, their team and our team can see them.</p>
      {hasFailed && !picker && <p className="field__error">Photos didn’t load. You can add them later.</p>}
    </div>
  );
}

'use client';
import { useEffect } from 'react';
import { kind, type Named, titleOf } from './title';

const ownPart = new RegExp(`^.*${kind}`, 's');

/** The title of the window follows what is read of the endpoint; what is behind its kind is the layout's. */
export function useTitle(endpoint: Named | undefined): void {
  const title = endpoint && titleOf(endpoint);
  useEffect(() => {
    if (title) document.title = document.title.replace(ownPart, () => title);
  }, [title]);
}

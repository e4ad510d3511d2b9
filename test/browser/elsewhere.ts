import type { Page } from 'playwright-core';
import { modeHeader } from '@/src/mode';

/** What a procedure answers whoever is signed in to the page, in another tab: this one is not told. */
export async function elsewhere<Answer>(
  page: Page,
  procedure: string,
  input: unknown,
  method = 'POST',
): Promise<Answer> {
  const answer = await page.evaluate(
    async ([path, text, verb, header]) => {
      const isRead = verb === 'GET';
      const query = isRead ? `?input=${encodeURIComponent(text)}` : '';
      const mode = document.querySelector('[data-mode]')?.getAttribute('data-mode') ?? '';
      const response = await fetch(`/api/trpc/${path}${query}`, {
        method: verb,
        headers: { 'Content-Type': 'application/json', [header]: mode },
        ...(!isRead && { body: text }),
      });
      return response.json();
    },
    [procedure, JSON.stringify(input), method, modeHeader] as const,
  );
  return (answer as { result: { data: Answer } }).result.data;
}

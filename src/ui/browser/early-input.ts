import { sentEarlyMark } from './started-marks';

/**
 * Does what was chosen, ticked or typed in a page before its scripts had come: React heard of none of it,
 * and would show a list of something else, beside what the field says. To be called once the page is
 * mounted. A field is compared with what the server wrote; one that React has made has nothing to compare.
 * Files cannot be told again. Forms that were sent go last.
 */
export function doEarlyInput(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    '#content :is(input:not([type=file]), select)',
  );
  for (const field of fields) {
    if (field instanceof HTMLSelectElement) {
      const written = [...field.options].find((option) => option.defaultSelected);
      if (written && !written.selected) tell(field, 'change');
    } else if (field.checked !== field.defaultChecked) {
      // Of radio buttons, the one that was chosen takes the choice from the other.
      if (field.type === 'radio' && !field.checked) continue;
      field.checked = !field.checked;
      field.click();
    } else if (field.value !== field.defaultValue) {
      const typed = field.value;
      field.value = field.defaultValue;
      // Not through the property of the field itself, which is React's: it would take this for known.
      Reflect.set(HTMLInputElement.prototype, 'value', typed, field);
      tell(field, 'input');
    }
  }
  sendEarlyForms('#content *');
}

/** Sends those of these forms that were sent before their page listened. */
export function sendEarlyForms(which: string): void {
  const forms = document.querySelectorAll<HTMLFormElement>(`form[${sentEarlyMark}]:is(${which})`);
  for (const form of forms) {
    form.removeAttribute(sentEarlyMark);
    form.requestSubmit();
  }
}

const tell = (field: Element, type: string) =>
  field.dispatchEvent(new Event(type, { bubbles: true }));

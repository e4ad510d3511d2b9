/** The id of what opens the dialog: where the focus goes back to when it closes. */
export const emptyButtonId = 'empty-test-data';

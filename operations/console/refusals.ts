/** Whether a command has refused. The message of such an error is meant for the reader. */
export const isRefusal = ({ name }: Error): boolean => name === 'Refused' || name === 'Misused';

/** The HTTP status of a form whose act is refused: 400 if what was typed is wrong, and 409 if the state refuses it. */
export const statusOfRefusal = ({ name }: Error) => (name === 'Misused' ? 400 : 409);

/** Defines the error of an expired order that cannot be resubmitted. */

/** The message completes the sentence "The payment …". */
export class ResubmissionError extends Error {}

/** Says why an order that its bank let lapse is not placed there again. */

/** The message completes "The payment …". */
export class NotPlacedAgain extends Error {}

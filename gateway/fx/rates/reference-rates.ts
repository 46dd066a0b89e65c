/** Defines reference rates: units of each currency for one euro. */

/** Rates of one day. */
export type ReferenceRates = { readonly day: Temporal.PlainDate; readonly perEuro: Readonly<Record<string, string>> }

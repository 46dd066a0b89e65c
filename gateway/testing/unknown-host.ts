/** A host that is unknown, also where no name server answers: a label has at most 63 characters (RFC 1035). */
export const UNKNOWN_HOST = `${'x'.repeat(64)}.invalid`

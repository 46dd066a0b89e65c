/** The settings of the search index and the ranking of its results, which the server and the browser share. */

/** Words of questions that no document is about. */
const STOP_WORDS = new Set(
  `a about an and any are as at be by can cannot do does for from get has have how i if in into is it its me my
  need of on or our should so that the their them there these they this now to use using was we what when where which
  who why will with would you your`.split(/\s+/),
)

/** Words for one thing: each finds what is written with any of them. */
const SYNONYMS = [
  ['giro', 'bankgiro', 'plusgiro', 'bg', 'pg'],
  ['ocr', 'kid', 'fik', 'viite', 'viitenumero', 'rf', 'reference', 'referanse', 'referens', 'creditorreference'],
  ['salary', 'payroll', 'wage', 'lønn', 'lonn', 'lön', 'lon', 'løn', 'palkka', 'payslip'],
  ['signer', 'signatory', 'sign', 'approval', 'approve', 'approver'],
  ['qwac', 'mtls', 'tls', 'certificate', 'qseal', 'qsealc', 'eidas'],
  ['secret', 'credential', 'password', 'apikey', 'key'],
  ['token', 'oauth', 'bearer', 'login'],
  ['file', 'csv', 'upload', 'pain', 'iso20022', 'xml'],
  ['fx', 'exchange', 'currency', 'valuta', 'conversion'],
  ['foreign', 'cross', 'border', 'international', 'abroad', 'swift', 'bic'],
  ['beneficiary', 'creditor', 'receiver', 'recipient', 'payee'],
  ['payer', 'debtor', 'sender'],
  ['transaction', 'entry', 'statement', 'camt', 'booking'],
  ['retry', 'retrie', 'repeat', 'idempotency', 'idempotent', 'duplicate', 'twice'],
  ['reject', 'refuse', 'decline', 'fail', 'failed', 'error', 'failure'],
  ['bankid', 'mitid', 'sca', 'signing', 'strong'],
  ['webhook', 'notification', 'event', 'hmac'],
  ['cancel', 'cancellation', 'revoke', 'recall'],
  ['cutoff', 'calendar', 'holiday', 'deadline', 'duedate'],
  ['limit', 'throttle', '429', 'rate'],
  ['company', 'organisation', 'organization', 'orgnr', 'cvr'],
  ['onboard', 'onboarding', 'kyc'],
  ['test', 'sandbox', 'simulate', 'simulation', 'demo'],
  ['production', 'live', 'go'],
]

const synonymsOf = new Map()
for (const words of SYNONYMS) {
  for (const word of words) {
    synonymsOf.set(word, [...(synonymsOf.get(word) ?? []), ...words])
  }
}

/**
 * A word without its plural ending.
 * @param {string} word
 */
function singular(word) {
  return word.length > 4 && word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.length > 3 && /[^su]s$/.test(word)
      ? word.slice(0, -1)
      : word
}

/**
 * A term as it is indexed and searched.
 * @param {string} term
 */
function normalise(term) {
  return singular(term.toLowerCase())
}

/** The settings of the index. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'place', 'text', 'names', 'details'],
  storeFields: ['title', 'place', 'excerpt'],
  processTerm: normalise,
  // Words of camelCase and SCREAMING_SNAKE names are found, and so are the names.
  tokenize: (/** @type {string} */ text) => [
    ...text.split(/[^\p{L}\p{N}_-]+/u),
    ...text.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u),
  ],
}

/** How many results are shown. */
const RESULTS_MAX = 12

/**
 * The results of a query, the best first. No word is required; documents with more of them, or of their synonyms, come
 * first.
 * @param {import('minisearch').default} engine
 * @param {string} query
 */
export function search(engine, query) {
  const all = [...new Set(SEARCH_OPTIONS.tokenize(query).filter(Boolean).map(normalise))]
  const meaningful = all.filter((word) => !STOP_WORDS.has(word))
  const words = meaningful.length === 0 ? all : meaningful
  const names = query
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => /\p{Ll}\p{Lu}|_/u.test(word))
    .map(normalise)
  const found = engine.search(query, {
    combineWith: 'OR',
    boost: { title: 4, names: 2, place: 2, details: 0.5 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    tokenize: () => words,
    processTerm: withSynonyms,
    // Guides answer questions; the reference and the errors list names.
    boostDocument: (id) => (id.startsWith('/docs/guides/') ? 1.5 : 1),
    // A name such as `dueDate` counts more than its parts, which are ordinary words.
    boostTerm: (term) => (names.includes(term) ? 2 : words.includes(term) ? 1 : 0.4),
  })
  return found
    .map((result) => ({ result, score: result.score * shareFound(words, result.queryTerms) ** 2 }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, RESULTS_MAX)
    .map(({ result }) => result)
}

/**
 * @param {readonly string[]} words
 * @param {readonly string[]} terms
 */
function shareFound(words, terms) {
  const found = words.filter((word) => withSynonyms(word).some((term) => terms.includes(term)))
  return found.length / words.length
}

/**
 * @param {string} word
 * @returns {string[]}
 */
function withSynonyms(word) {
  return [...new Set([word, ...(synonymsOf.get(word) ?? [])])]
}

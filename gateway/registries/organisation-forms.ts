/** Which kinds of organisations are served, by country: most companies are, some after a look at papers, some are not. */

/** Whether an organisation of a form can be brought in, and why not or not at once. */
export type FormSupport =
  | { readonly support: 'supported' }
  /** A person looks at documents first. */
  | { readonly support: 'documents'; readonly reason: string }
  | { readonly support: 'unsupported'; readonly reason: string }

type Forms = {
  readonly supported: readonly string[]
  readonly documents: Readonly<Record<string, readonly string[]>>
  readonly unsupported: Readonly<Record<string, readonly string[]>>
}

const BRANCH = 'It is a branch of a company abroad, which no registry here tells of.'
const FOUNDATION = 'It is a foundation: who acts for it stands in its statutes.'
const PUBLIC = 'It is a public body: who may act for it is delegated within it.'
const FINANCIAL = 'It is a financial institution, which others supervise.'
const UNKNOWN = 'It is of a form that is not known here.'
const HOUSING = 'It is a housing cooperative or company, held by its residents.'
const ASSOCIATION = 'It is an association: it has members and no owners.'
const ESTATE = 'It is the estate of somebody dead or bankrupt, and a court says who acts for it.'
const PART = 'It is a part of an organisation, or people who registered together: no legal person of its own.'

/**
 * By the codes of each country's registry. Norway's are those of the Central Coordinating Register
 * (data.brreg.no/enhetsregisteret/api/organisasjonsformer), Sweden's those of Bolagsverket; Denmark's and Finland's the
 * usual abbreviations, to which a connection to their registries has to translate.
 */
const formsByCountry: Readonly<Record<string, Forms>> = {
  NO: {
    supported: ['AS', 'ASA', 'ENK', 'ANS', 'DA', 'KS', 'SA', 'BA', 'PRE', 'SE'],
    documents: {
      [BRANCH]: ['NUF', 'UTLA', 'EØFG', 'EOFG'],
      [FOUNDATION]: ['STI'],
      [PUBLIC]: ['STAT', 'KOMM', 'FYLK', 'KIRK', 'SF', 'IKS', 'KF', 'FKF', 'SÆR', 'ADOS'],
      [FINANCIAL]: ['SPA', 'GFS', 'PK', 'VPFO'],
      [UNKNOWN]: ['ANNA'],
    },
    unsupported: {
      [HOUSING]: ['BRL', 'BBL', 'ESEK'],
      [ASSOCIATION]: ['FLI'],
      [ESTATE]: ['KBO', 'BO'],
      [PART]: ['ORGL', 'BEDR', 'AAFY', 'OPMV', 'SAM', 'KTRF', 'IKJP', 'PERS', 'VIFE'],
    },
  },
  SE: {
    supported: ['AB', 'E', 'HB', 'KB', 'EK', 'SE'],
    documents: { [BRANCH]: ['FL'], [FOUNDATION]: ['S'], [FINANCIAL]: ['BAB', 'FAB', 'MB', 'SB', 'OFB'] },
    unsupported: { [HOUSING]: ['BRF', 'BF', 'KHF'], [ASSOCIATION]: ['I', 'SF'], [ESTATE]: ['DB', 'KBO'] },
  },
  DK: {
    supported: ['APS', 'A/S', 'IVS', 'ENK', 'PMV', 'I/S', 'K/S', 'P/S', 'AMBA', 'SMBA', 'SE'],
    documents: { [BRANCH]: ['FIL'], [FOUNDATION]: ['FON', 'ERF'], [PUBLIC]: ['STAT', 'REG', 'KOM'] },
    unsupported: { [HOUSING]: ['AND'], [ASSOCIATION]: ['FOR', 'FFO', 'FMBA'], [ESTATE]: ['DBO', 'KBO'] },
  },
  FI: {
    supported: ['OY', 'OYJ', 'KY', 'AY', 'OK', 'TMI', 'SE'],
    documents: {
      [BRANCH]: ['SL'],
      [FOUNDATION]: ['SÄÄ'],
      [PUBLIC]: ['KUNTA', 'VALT'],
      [FINANCIAL]: ['OP', 'SP', 'VOY'],
    },
    unsupported: { [HOUSING]: ['AOY', 'ASY', 'KOY'], [ASSOCIATION]: ['AYH', 'RY'], [ESTATE]: ['KP', 'KK'] },
  },
}

/** Whether organisations of a form are served; a form that is not known here is for a person to judge. */
export function organisationFormSupport(countryCode: string, organisationForm: string): FormSupport {
  const forms = Object.hasOwn(formsByCountry, countryCode) ? formsByCountry[countryCode] : undefined
  if (forms?.supported.includes(organisationForm)) {
    return { support: 'supported' }
  }
  const unsupported = reasonIn(forms?.unsupported, organisationForm)
  return unsupported === undefined
    ? { support: 'documents', reason: reasonIn(forms?.documents, organisationForm) ?? UNKNOWN }
    : { support: 'unsupported', reason: unsupported }
}

function reasonIn(formsByReason: Forms['documents'] | undefined, form: string): string | undefined {
  return Object.entries(formsByReason ?? {}).find(([, forms]) => forms.includes(form))?.[0]
}

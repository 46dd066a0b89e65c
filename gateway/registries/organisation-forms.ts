/** Lists which organisation forms are supported by country: at once, after a check of documents, or not. */

/** Whether a company of a form can be onboarded, and the reason if not, or not at once. */
export type FormSupport =
  | { readonly support: 'supported' }
  /** Documents are checked manually first. */
  | { readonly support: 'documents'; readonly reason: string }
  | { readonly support: 'unsupported'; readonly reason: string }

type Forms = {
  readonly supported: readonly string[]
  readonly documents: Readonly<Record<string, readonly string[]>>
  readonly unsupported: Readonly<Record<string, readonly string[]>>
}

const BRANCH = 'It is a branch of a foreign company, for which there is no registry here.'
const FOUNDATION = 'It is a foundation: its statutes determine who acts for it.'
const PUBLIC = 'It is a public body: internal delegation determines who may act for it.'
const FINANCIAL = 'It is a supervised financial institution.'
const UNKNOWN = 'Its organisation form is unknown.'
const HOUSING = 'It is a housing cooperative or company, owned by its residents.'
const ASSOCIATION = 'It is an association: it has members, not owners.'
const ESTATE = 'It is the estate of a deceased or bankrupt person: a court determines who acts for it.'
const PART = 'It is a part of an organisation, or a registration of several persons: not a legal person.'

/**
 * By the codes of each country's registry. Norway: the Central Coordinating Register
 * (data.brreg.no/enhetsregisteret/api/organisasjonsformer); Sweden: Bolagsverket; Denmark and Finland: the usual
 * abbreviations, to which a connection to their registries must translate.
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

/** Whether a form is supported; an unknown form is checked manually. */
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

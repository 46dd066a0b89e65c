/** The simulated eIDs, and a workplace's sign-in, each with an issuer of its own and the differences of real ones. */

/** How an ID token is signed (RFC 7518, RFC 8037). */
export type SigningAlgorithm = 'ES256' | 'RS256' | 'EdDSA'

export type Eid = {
  /** Its segment of the path; the issuer ends with it. */
  readonly path: string
  readonly name: string
  readonly countryCode: string
  readonly algorithm: SigningAlgorithm
  /** Its value for the level of assurance. */
  readonly acr: string
  /** Whether it names groups of the user, as those of workplaces do. */
  readonly hasGroups?: boolean
}

export const EIDS: readonly Eid[] = [
  {
    path: 'bankid-no',
    name: 'BankID (Norway)',
    countryCode: 'NO',
    algorithm: 'RS256',
    acr: 'urn:bankid:bid;LOA=4',
  },
  {
    path: 'bankid-se',
    name: 'BankID (Sweden)',
    countryCode: 'SE',
    algorithm: 'ES256',
    acr: 'urn:sandbox:bankid-se',
  },
  {
    path: 'mitid',
    name: 'MitID',
    countryCode: 'DK',
    algorithm: 'EdDSA',
    acr: 'https://data.gov.dk/concept/core/nsis/Substantial',
  },
  {
    path: 'ftn',
    name: 'Finnish Trust Network',
    countryCode: 'FI',
    algorithm: 'ES256',
    acr: 'http://ftn.ficora.fi/2017/loa2',
  },
  {
    path: 'workplace',
    name: 'Workplace sign-in',
    countryCode: 'NO',
    algorithm: 'RS256',
    acr: 'urn:sandbox:workplace',
    hasGroups: true,
  },
]

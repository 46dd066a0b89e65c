/** Translates what Norway's registers tell of a company into our words. */

import { isSamePerson } from '../is-same-person.ts'
import type { RegisteredAddress } from '../registered-company.ts'
import type { PersonName, RegisteredPerson, RegisteredRole, RoleKind } from '../registered-person.ts'
import type { SigningRights } from '../signing-rights.ts'
import type {
  BrregAddress,
  BrregCombination,
  BrregEntity,
  BrregRole,
  BrregRoles,
  BrregSignature,
  BrregSigner,
} from './wire.ts'

/** Roles that say who acts for a company; auditors, contacts, observers and others are left out. */
const kindByCode: Readonly<Record<string, RoleKind>> = {
  LEDE: 'chair',
  NEST: 'deputy-chair',
  MEDL: 'board-member',
  VARA: 'deputy-member',
  DAGL: 'managing-director',
  INNH: 'proprietor',
  KOMP: 'partner',
  DTPR: 'partner',
  DTSO: 'partner',
  SIGN: 'signatory',
  SIFE: 'signatory',
}

/** The service has run, as opposed to forms of organisations that it cannot run for. */
const RAN = 'OK'
/** The company's own rule was found among those that the service knows. */
const RULE_FOUND = 'RF'
/** Members of a combination that say nothing of further people. */
const KNOWN_MEMBERS = ['kode', 'tekstforklaring', 'kombinasjonsId', 'personRolleKombinasjon', '_links']

/** Where the company has its business, else where its mail goes. */
export function addressOf({ forretningsadresse, postadresse }: BrregEntity): RegisteredAddress | null {
  const address: BrregAddress | undefined = forretningsadresse ?? postadresse
  return address === undefined
    ? null
    : {
        street: (address.adresse ?? []).filter((line) => line.trim() !== '').join(', '),
        postCode: address.postnummer ?? '',
        city: address.poststed ?? '',
        countryCode: address.landkode ?? 'NO',
      }
}

/** The roles that living people have at present; who has no birth date on record cannot be told from others. */
export function rolesOf({ rollegrupper }: BrregRoles): readonly RegisteredRole[] {
  return (rollegrupper ?? []).flatMap(({ roller }) => (roller ?? []).flatMap((role) => roleOf(role)))
}

function roleOf({ type, person, fratraadt, avregistrert }: BrregRole): readonly RegisteredRole[] {
  const kind = Object.hasOwn(kindByCode, type.kode) ? kindByCode[type.kode] : undefined
  const { fornavn = '', mellomnavn = '', etternavn = '' } = person?.navn ?? {}
  const birthDate = dayOf(person?.fodselsdato)
  const hasEnded = fratraadt === true || avregistrert === true || person?.erDoed === true
  if (kind === undefined || hasEnded || birthDate === undefined || etternavn === '') {
    return []
  }
  return [{ role: kind, person: { name: { given: `${fornavn} ${mellomnavn}`.trim(), family: etternavn }, birthDate } }]
}

/**
 * The combinations of people that the service has worked out. Null where the company has a rule of its own that the
 * service did not understand: then the board that the law would let sign may be just whom the rule leaves out.
 */
export function signingRightsOf(
  { status, signeringsGrunnlag, signeringsKombinasjon }: BrregSignature,
  roles: readonly RegisteredRole[],
): SigningRights | null {
  const ownRule = signeringsGrunnlag?.signaturProkuraRoller?.signaturProkuraFritekst ?? ''
  const isUnderstood = ownRule.trim() === '' || status.regelStatus?.kode === RULE_FOUND
  if (status.rutineStatus.kode !== RAN || !isUnderstood) {
    return null
  }
  const people = roles.map(({ person }) => person)
  const rules = (signeringsKombinasjon?.kombinasjon ?? []).flatMap((combination) => {
    const persons = personsOf(combination, people)
    return persons === undefined ? [] : [{ kind: 'persons', persons } as const]
  })
  return rules.length === 0 ? null : rules
}

/** Undefined where the combination has a member that is nobody we could ask: a company, or one with limits in words. */
function personsOf(
  combination: BrregCombination,
  people: readonly RegisteredPerson[],
): readonly RegisteredPerson[] | undefined {
  const signers = combination.personRolleKombinasjon ?? []
  const persons = signers.flatMap((signer) => signerOf(signer, people))
  const isWhole = Object.keys(combination).every((member) => KNOWN_MEMBERS.includes(member))
  return isWhole && persons.length > 0 && persons.length === signers.length ? persons : undefined
}

/** Names are one text here, and in parts among the roles: from there they are taken where they fit. */
function signerOf(
  { navn = '', fodselsdato, rolleFritekst = '' }: BrregSigner,
  people: readonly RegisteredPerson[],
): readonly RegisteredPerson[] {
  const birthDate = dayOf(fodselsdato)
  if (birthDate === undefined || navn.trim() === '' || rolleFritekst.trim() !== '') {
    return []
  }
  const signer = { name: inParts(navn), birthDate }
  return [people.find((person) => isSamePerson(person, signer)) ?? signer]
}

function inParts(name: string): PersonName {
  const words = name.trim().split(/\s+/)
  return { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }
}

/** `1975-10-12` and `12.10.1975` are both met; undefined where it is no day. */
export function dayOf(text: string | undefined): string | undefined {
  const day = text?.replace(/^(\d{2})\.(\d{2})\.(\d{4})$/, '$3-$2-$1')
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    return undefined
  }
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

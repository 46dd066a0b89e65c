/** Translates the responses of Norway's registers into registered companies. */

import { parseDay } from '../../platform/clock.ts'
import type { RegisteredAddress } from '../registered-company.ts'
import {
  isSamePerson,
  type PersonName,
  type RegisteredPerson,
  type RegisteredRole,
  type RoleKind,
} from '../registered-person.ts'
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

/** Roles that act for a company; auditors, contacts, observers and others are omitted. */
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

/** The service has run; it does not support all organisation forms. */
const ROUTINE_COMPLETED = 'OK'
/** The service has recognised the company's own signing rule. */
const RULE_FOUND = 'RF'
/** Signing jointly: a person who is named alone signs with a signer that the answer does not name, such as a company. */
const JOINTLY = 'SIFE'
/** Fields of a combination that do not name further persons. */
const KNOWN_FIELDS = ['kode', 'tekstforklaring', 'kombinasjonsId', 'personRolleKombinasjon', '_links']

/** The business address, or the postal address. */
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

/** Current roles of living persons; one without a birth date cannot be identified. */
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
 * The combinations of persons that the service derived. Null where it did not recognise the company's own rule: then
 * the default combination may contain persons whom the rule excludes.
 */
export function signingRightsOf(
  { status, signeringsGrunnlag, signeringsKombinasjon }: BrregSignature,
  roles: readonly RegisteredRole[],
): SigningRights | null {
  const ownRule = signeringsGrunnlag?.signaturProkuraRoller?.signaturProkuraFritekst ?? ''
  const isUnderstood = ownRule.trim() === '' || status.regelStatus?.kode === RULE_FOUND
  if (status.rutineStatus.kode !== ROUTINE_COMPLETED || !isUnderstood) {
    return null
  }
  const people = roles.map(({ person }) => person)
  const rules = (signeringsKombinasjon?.kombinasjon ?? []).flatMap((combination) => {
    const persons = personsOf(combination, people)
    return persons === undefined ? [] : [{ kind: 'persons', persons } as const]
  })
  return rules.length === 0 ? null : rules
}

/** Undefined where the combination contains a company, or a person with limits in free text. */
function personsOf(
  combination: BrregCombination,
  people: readonly RegisteredPerson[],
): readonly RegisteredPerson[] | undefined {
  const signers = combination.personRolleKombinasjon ?? []
  const persons = signers.flatMap((signer) => signerOf(signer, people))
  const hasOnlyKnownFields = Object.keys(combination).every((field) => KNOWN_FIELDS.includes(field))
  const least = combination.kode === JOINTLY ? 2 : 1
  return hasOnlyKnownFields && persons.length >= least && persons.length === signers.length ? persons : undefined
}

/** The service gives the full name as one text; the roles give its parts, which are used where they match. */
function signerOf(
  { navn = '', fodselsdato, rolleFritekst = '' }: BrregSigner,
  people: readonly RegisteredPerson[],
): readonly RegisteredPerson[] {
  const birthDate = dayOf(fodselsdato)
  if (birthDate === undefined || navn.trim() === '' || rolleFritekst.trim() !== '') {
    return []
  }
  const signer = { name: splitName(navn), birthDate }
  return [people.find((person) => isSamePerson(person, signer)) ?? signer]
}

function splitName(name: string): PersonName {
  const words = name.trim().split(/\s+/)
  return { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }
}

/** Accepts `1975-10-12` and `12.10.1975`; undefined for anything that is not a day. */
export function dayOf(text: string | undefined): string | undefined {
  const day = text?.replace(/^(\d{2})\.(\d{2})\.(\d{4})$/, '$3-$2-$1')
  return parseDay(day ?? '')?.toString()
}

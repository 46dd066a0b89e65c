/** Who may sign for a company: rules of a registry as data, the combinations of people that follow, and whether one is met. */

import { isSamePerson } from './is-same-person.ts'
import type { RegisteredPerson, RegisteredRole, RoleKind } from './registered-person.ts'

/** Any one of the rules is enough. */
export type SigningRights = readonly SigningRule[]

/** Everybody whom a rule names must sign; nobody counts twice. */
export type SigningRule =
  /** So many of those who have one of the roles. */
  | { readonly kind: 'roles'; readonly needs: readonly RoleNeed[] }
  /** These very people. */
  | { readonly kind: 'persons'; readonly persons: readonly RegisteredPerson[] }

/** `all`: every one of them, and at least one. */
export type RoleNeed = { readonly roles: readonly RoleKind[]; readonly count: number | 'all' }

/** People whose signatures together bind the company; one person is "alone", several are "jointly". */
export type SigningCombination = readonly RegisteredPerson[]

/** Nobody chooses among more, and a program must not be made to list them all. */
export const COMBINATIONS_MAX = 500

/**
 * The smallest combinations that may sign, the shortest first: none contains another one. Empty where nobody can be
 * told to be enough, also where that would take more than `COMBINATIONS_MAX` to say: then a person must look.
 */
export function signingCombinations(
  rights: SigningRights | null,
  roles: readonly RegisteredRole[],
): readonly SigningCombination[] {
  const found: SigningCombination[] = []
  for (const rule of rights ?? []) {
    for (const combination of combinationsBy(rule, roles)) {
      found.push(combination)
      if (found.length > COMBINATIONS_MAX) {
        return []
      }
    }
  }
  // Two people whom name and birth date do not tell apart might be one, who would then sign twice.
  const byLength = found.filter(isOfDistinctPeople).toSorted((one, other) => one.length - other.length)
  return byLength.filter((one, index) => !byLength.slice(0, index).some((smaller) => isWithin(smaller, one)))
}

/** Whether the people who have signed are enough for one combination: each of it signed, and nobody signed for two. */
export function maySign(combination: SigningCombination, signedBy: readonly RegisteredPerson[]): boolean {
  return combination.length > 0 && canBeMatched(combination, signedBy, [])
}

/** Whether the people who have signed are enough for any of the combinations. */
export function areEnough(combinations: readonly SigningCombination[], signedBy: readonly RegisteredPerson[]): boolean {
  return combinations.some((combination) => maySign(combination, signedBy))
}

/** Finds a signature for each; those taken already must be of other people, however their names are written. */
function canBeMatched(
  [person, ...others]: SigningCombination,
  signedBy: readonly RegisteredPerson[],
  taken: readonly RegisteredPerson[],
): boolean {
  if (person === undefined) {
    return true
  }
  return signedBy.some(
    (signer) =>
      isSamePerson(person, signer) &&
      !taken.some((one) => isSamePerson(one, signer)) &&
      canBeMatched(others, signedBy, [...taken, signer]),
  )
}

function combinationsBy(rule: SigningRule, roles: readonly RegisteredRole[]): Iterable<SigningCombination> {
  if (rule.kind === 'persons') {
    return rule.persons.length > 0 ? [rule.persons] : []
  }
  // Who is among "all" may be asked for by another need as well, so those come last and take who is left.
  const needs = rule.needs.toSorted((one, other) => Number(one.count === 'all') - Number(other.count === 'all'))
  return needs.length > 0 ? byNeeds(needs, roles, []) : []
}

/** Everybody of the first need with everybody of the others. */
function* byNeeds(
  [need, ...others]: readonly RoleNeed[],
  roles: readonly RegisteredRole[],
  chosen: SigningCombination,
): Iterable<SigningCombination> {
  if (need === undefined) {
    yield chosen
    return
  }
  const holders = holdersOf(need.roles, roles)
  const free = holders.filter((holder) => !chosen.some((one) => isOnePerson(one, holder)))
  // What asks for all of nobody, or for nobody, is met by nobody.
  const all = holders.length > 0 ? [free] : []
  for (const some of need.count === 'all' ? all : subsets(free, need.count)) {
    yield* byNeeds(others, roles, [...chosen, ...some])
  }
}

/** Each person once, whatever roles they have. */
function holdersOf(kinds: readonly RoleKind[], roles: readonly RegisteredRole[]): readonly RegisteredPerson[] {
  const holders = roles.filter(({ role }) => kinds.includes(role)).map(({ person }) => person)
  return holders.filter((holder, index) => !holders.slice(0, index).some((earlier) => isOnePerson(earlier, holder)))
}

/** Every choice of so many people, one or more. */
function* subsets([first, ...rest]: readonly RegisteredPerson[], size: number): Iterable<readonly RegisteredPerson[]> {
  if (first === undefined || size < 1 || size > rest.length + 1) {
    return
  }
  if (size === 1) {
    yield [first]
  } else {
    for (const some of subsets(rest, size - 1)) {
      yield [first, ...some]
    }
  }
  yield* subsets(rest, size)
}

/** A registry writes a person's name in one way, whatever the role. */
function isOnePerson(one: RegisteredPerson, other: RegisteredPerson): boolean {
  const isSameName = one.name.given === other.name.given && one.name.family === other.name.family
  return isSameName && one.birthDate === other.birthDate
}

function isOfDistinctPeople(combination: SigningCombination): boolean {
  return combination.every((one, index) => !combination.slice(0, index).some((earlier) => isSamePerson(earlier, one)))
}

function isWithin(smaller: SigningCombination, larger: SigningCombination): boolean {
  return smaller.every((one) => larger.some((other) => isOnePerson(one, other)))
}

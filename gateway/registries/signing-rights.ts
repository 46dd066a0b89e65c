/** Evaluates who may sign for a company: combinations of persons by the rules of a registry. */

import { isSamePerson, type RegisteredPerson, type RegisteredRole, type RoleKind } from './registered-person.ts'

/** Any one of the rules is enough. */
export type SigningRights = readonly SigningRule[]

/** All persons of a rule must sign; each counts once. */
export type SigningRule =
  /** A number of holders of one of the roles. */
  | { readonly kind: 'roles'; readonly needs: readonly RoleNeed[] }
  /** These named persons. */
  | { readonly kind: 'persons'; readonly persons: readonly RegisteredPerson[] }

/** `all`: every holder, and at least one. */
export type RoleNeed = { readonly roles: readonly RoleKind[]; readonly count: number | 'all' }

/** Persons whose signatures together bind the company; one is "alone", several are "jointly". */
export type SigningCombination = readonly RegisteredPerson[]

/** A page cannot offer more for selection, and the limit bounds the computation. */
export const COMBINATIONS_MAX = 500

/**
 * The minimal combinations that may sign, the shortest first: none contains another one. Empty where none can be
 * determined, or where there are more than `COMBINATIONS_MAX`: then the check is manual.
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
  // Two persons with matching name and birth date might be one, who would then sign twice.
  const byLength = found.filter(isOfDistinctPeople).toSorted((one, other) => one.length - other.length)
  return byLength.filter((one, index) => !byLength.slice(0, index).some((smaller) => isSubsetOf(smaller, one)))
}

/** Whether the signatures cover one combination: each person has signed, and no signature counts for two. */
export function maySign(combination: SigningCombination, signedBy: readonly RegisteredPerson[]): boolean {
  return combination.length > 0 && canBeMatched(combination, signedBy, [])
}

/** Whether the signatures cover any of the combinations. */
export function satisfiesSigningRights(
  combinations: readonly SigningCombination[],
  signedBy: readonly RegisteredPerson[],
): boolean {
  return combinations.some((combination) => maySign(combination, signedBy))
}

/** Finds a signature for each person; no two may be of the same person, however the names are spelled. */
function canBeMatched(
  [person, ...rest]: SigningCombination,
  signedBy: readonly RegisteredPerson[],
  used: readonly RegisteredPerson[],
): boolean {
  if (person === undefined) {
    return true
  }
  return signedBy.some(
    (signer) =>
      isSamePerson(person, signer) &&
      !used.some((one) => isSamePerson(one, signer)) &&
      canBeMatched(rest, signedBy, [...used, signer]),
  )
}

function combinationsBy(rule: SigningRule, roles: readonly RegisteredRole[]): Iterable<SigningCombination> {
  if (rule.kind === 'persons') {
    return rule.persons.length > 0 ? [rule.persons] : []
  }
  // Needs with a count come first; "all" then takes the holders that are left.
  const needs = rule.needs.toSorted((one, other) => Number(one.count === 'all') - Number(other.count === 'all'))
  return needs.length > 0 ? combinationsByNeeds(needs, roles, []) : []
}

/** Each choice of the first need with each choice of the others. */
function* combinationsByNeeds(
  [need, ...rest]: readonly RoleNeed[],
  roles: readonly RegisteredRole[],
  chosen: SigningCombination,
): Iterable<SigningCombination> {
  if (need === undefined) {
    yield chosen
    return
  }
  const holders = holdersOf(need.roles, roles)
  const free = holders.filter((holder) => !chosen.some((one) => isIdenticalPerson(one, holder)))
  // A need for all holders is not met if there are none.
  const all = holders.length > 0 ? [free] : []
  for (const some of need.count === 'all' ? all : subsets(free, need.count)) {
    yield* combinationsByNeeds(rest, roles, [...chosen, ...some])
  }
}

/** Each person once, whatever their roles. */
function holdersOf(kinds: readonly RoleKind[], roles: readonly RegisteredRole[]): readonly RegisteredPerson[] {
  const holders = roles.filter(({ role }) => kinds.includes(role)).map(({ person }) => person)
  return holders.filter(
    (holder, index) => !holders.slice(0, index).some((earlier) => isIdenticalPerson(earlier, holder)),
  )
}

/** Every subset of this size, at least 1. */
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

/** A registry spells a person's name the same way in every role. */
function isIdenticalPerson(one: RegisteredPerson, other: RegisteredPerson): boolean {
  const isSameName = one.name.given === other.name.given && one.name.family === other.name.family
  return isSameName && one.birthDate === other.birthDate
}

function isOfDistinctPeople(combination: SigningCombination): boolean {
  return combination.every((one, index) => !combination.slice(0, index).some((earlier) => isSamePerson(earlier, one)))
}

function isSubsetOf(smaller: SigningCombination, larger: SigningCombination): boolean {
  return smaller.every((one) => larger.some((other) => isIdenticalPerson(one, other)))
}

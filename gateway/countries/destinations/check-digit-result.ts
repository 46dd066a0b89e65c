/** Says what the check digits of a number abroad prove. */

/** `doubtful` if valid numbers may fail the check, or its rule is not published. */
export type CheckDigitResult = 'sound' | 'unsound' | 'doubtful'

export function soundIf(passes: boolean): CheckDigitResult {
  return passes ? 'sound' : 'unsound'
}

/** By which the tables of countries name them. */
export function checkNames<Name extends string>(checks: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(checks).filter((name): name is Name => Object.hasOwn(checks, name))
}

/** Finds the known name that a misspelt one most likely stands for. */

/** Of a name without case and separators: one slip in four characters. */
const CHARACTERS_PER_SLIP = 4
const SLIPS_MAX = 3

/** The nearest of the known names: the same but for case and separators, else with the fewest slips; null for none. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = plainName(name)
  const slipsMax = Math.min(Math.floor(wanted.length / CHARACTERS_PER_SLIP), SLIPS_MAX)
  let nearest: { readonly name: string; readonly slips: number } | null = null
  for (const candidate of known) {
    const slips = slipsBetween(wanted, plainName(candidate), Math.min(slipsMax, (nearest?.slips ?? SLIPS_MAX + 1) - 1))
    if (slips !== null) {
      nearest = { name: candidate, slips }
    }
  }
  return nearest?.name ?? null
}

/** `due_date`, `Due-Date` and `dueDate` are one name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/**
 * The Damerau–Levenshtein distance: characters that are missing, superfluous, different, or swapped with the next. Null
 * above the maximum.
 */
function slipsBetween(left: string, right: string, slipsMax: number): number | null {
  if (Math.abs(left.length - right.length) > slipsMax) {
    return null
  }
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  const slips = last[right.length] ?? 0
  return slips > slipsMax ? null : slips
}

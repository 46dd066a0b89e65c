/** Compares texts that banks may have truncated, stripped of characters or padded. */

/** Letters without a Unicode decomposition, as banks transliterate them. */
const TRANSLITERATION: Readonly<Record<string, string>> = { ø: 'o', æ: 'a', ß: 's', ð: 'd', þ: 't' }

/** Whether one text contains the other after normalisation. */
export function isSimilarText(one: string, other: string): boolean {
  const [left, right] = [normalise(one), normalise(other)]
  return left.includes(right) || right.includes(left)
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[øæßðþ]/g, (letter) => TRANSLITERATION[letter] ?? '')
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^0+/, '')
}

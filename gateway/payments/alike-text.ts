/** Tells whether two texts may be the same one: banks cut them, drop characters and pad references. */

/** Letters that take part of no decomposition, as banks write them. */
const WRITTEN_AS: Readonly<Record<string, string>> = { ø: 'o', æ: 'a', ß: 's', ð: 'd', þ: 't' }

/** Whether one of them holds the other, once everything is left out that banks change. */
export function isAlikeText(one: string, other: string): boolean {
  const [left, right] = [keptOf(one), keptOf(other)]
  return left.includes(right) || right.includes(left)
}

function keptOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[øæßðþ]/g, (letter) => WRITTEN_AS[letter] ?? '')
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^0+/, '')
}

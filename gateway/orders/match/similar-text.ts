/** Compares texts that banks may have truncated, transliterated, stripped of characters or padded. */
import { foldedWordsOf, foldLetters } from '../../countries/names/organisation-name.ts'

/** Whether one text contains the other after normalisation. */
export function isSimilarText(one: string, other: string): boolean {
  return spellingsOf(one).some((spelling, index) => {
    const otherSpelling = spellingsOf(other)[index] ?? ''
    return spelling.includes(otherSpelling) || otherSpelling.includes(spelling)
  })
}

/** Words together, as folded each and all together: banks that drop spaces make two letters of two words neighbours. */
function spellingsOf(text: string): readonly string[] {
  return [foldedWordsOf(text).join(''), foldLetters(text.replace(/[^\p{L}\p{N}\p{Mn}]/gu, ''))].map(plain)
}

/** References may be padded with zeros. */
function plain(folded: string): string {
  return folded.replaceAll(/[^a-z0-9]/g, '').replace(/^0+/, '')
}

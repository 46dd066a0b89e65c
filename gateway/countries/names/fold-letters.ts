/** Folds letters, so that a Nordic word and all its transliterations are one. */

/** Letters that Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'a',
  ø: 'o',
  œ: 'o',
  ß: 's',
  ð: 'd',
  đ: 'd',
  þ: 't',
  ł: 'l',
  ı: 'i',
}

/**
 * Without case and accents. The two ways of writing ø, o and oe, are one, and so are those of å (aa), æ and ä (ae), ö (oe),
 * ü (ue), ß (ss) and þ (th): systems use either.
 */
export function foldLetters(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[æøœßðđþłı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/a[ae]+/g, 'a')
    .replace(/([ou])e+/g, '$1')
    .replace(/s{2,}/g, 's')
    .replaceAll('th', 't')
}

/** The words of a text, folded; without signs between and invisible characters in them. */
export function foldedWordsOf(text: string): readonly string[] {
  return text
    .split(/[^\p{L}\p{N}\p{Mn}\p{Cf}]+/u)
    .map((word) => foldLetters(word.replace(/\p{Cf}/gu, '')))
    .filter((word) => word !== '')
}

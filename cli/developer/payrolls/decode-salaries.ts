/** Decodes a file of salaries: spreadsheets save CSV in the encoding of the system or in Unicode. */

export type DecodedFile = { readonly text: string; readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252' }

/** What is not UTF-8 is Windows-1252, which has a character for nearly every byte: of other encodings, letters would be wrong. */
export function decodeSalaries(bytes: Uint8Array): DecodedFile {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  }
  try {
    // The decoder removes a byte order mark.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

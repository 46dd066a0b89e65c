/** Reads CSV as RFC 4180 describes it: an eye that shares nothing with the hand that writes it. */

/** The rows, that of the names included. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

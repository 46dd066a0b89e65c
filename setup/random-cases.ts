/** Says how many random cases a test tries: in `npm test` a twentieth of those that it tries in `npm run test:long`. */

const SHARE = Number(process.env['HAVN_RANDOM_CASES'] ?? 0.05)

export function randomCases(atLength: number): number {
  return Math.ceil(atLength * SHARE)
}

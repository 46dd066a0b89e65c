/** Check digits that several countries use: modulus 10 (Luhn), weighted sums, and those of an IBAN. */

/** Whether the last digit is the modulus 10 check digit of the others. */
export function fitsModulus10(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return /^[0-9]+$/.test(digits) && sum % 10 === 0
}

/** The sum of digits, each multiplied by the weight at its position. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((total, weight, index) => total + weight * Number(digits[index] ?? 0), 0)
}

/** The IBAN of a country's account number (ISO 13616). */
export function makeIban(country: string, number: string): string {
  const check = 98n - (numberOfLetters(`${number}${country}00`) % 97n)
  return `${country}${check.toString().padStart(2, '0')}${number}`
}

/** `FI21 1234 5600 0007 85`, as every bank prints an IBAN. */
export function inGroupsOfFour(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Whether a text is an IBAN of any country, by its check digits. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/.test(text) && fitsModulus97(text.slice(4) + text.slice(0, 4))
}

/** Whether letters and digits, as one number, have the remainder 1 when divided by 97. */
export function fitsModulus97(text: string): boolean {
  return numberOfLetters(text) % 97n === 1n
}

/** Letters count from 10 for A. */
function numberOfLetters(text: string): bigint {
  return BigInt([...text].map((character) => Number.parseInt(character, 36)).join(''))
}

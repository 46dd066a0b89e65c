/** Calculates check digits: modulus 10 (Luhn), modulus 11, modulus 11,10 and modulus 97. */

/** Whether the last digit is the Luhn check digit of those before it. */
export function passesModulus10(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/**
 * The modulus 11 check value of digits: 0–9, or 10, for which no digit exists. The weights apply to the last digits,
 * and repeat from the right when there are more digits than weights.
 */
export function modulus11(digits: string, weights: readonly number[]): number {
  const fromRight = weights.toReversed()
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (fromRight[index % fromRight.length] ?? 0), 0)
  return (11 - (sum % 11)) % 11
}

/** The weighted sum of digits; the weights repeat from the left when there are more digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0), 0)
}

/** Whether the last digit is the check digit of those before it by ISO 7064, modulus 11,10. */
export function passesModulus11_10(digits: string): boolean {
  const product = [...digits.slice(0, -1)].reduce((before, digit) => {
    const sum = (before + Number(digit)) % 10
    return ((sum === 0 ? 10 : sum) * 2) % 11
  }, 10)
  return (product + Number(digits.at(-1))) % 10 === 1
}

/** The two check digits of an IBAN (ISO 13616): 98 less the remainder by 97 of the BBAN, country and 00. */
export function ibanCheckDigits(countryCode: string, bban: string): string {
  return String(98n - (asNumber(`${bban}${countryCode}00`) % 97n)).padStart(2, '0')
}

/** The Luhn check digit to append to these digits. */
export function modulus10(digits: string): number {
  return [...'0123456789'].findIndex((check) => passesModulus10(digits + check))
}

/**
 * Whether an IBAN or RF reference without spaces passes modulus 97. Its check digits are 98 less a remainder, so 00, 01
 * and 99 are never valid, though they leave the same remainder as 97, 98 and 02.
 */
export function passesModulus97(text: string): boolean {
  return /^..(?!00|01|99)/.test(text) && asNumber(text.slice(4) + text.slice(0, 4)) % 97n === 1n
}

/** Letters count as 10 to 35. */
function asNumber(text: string): bigint {
  return BigInt(text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)))
}

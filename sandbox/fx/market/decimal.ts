/** Exact arithmetic with decimals, rounded half up, on integers alone. */

/** `digits` divided by ten to the power of `scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

/** Reads a plain decimal such as `11.2425`; undefined when the text is none. */
export function readDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]{1,15}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Reads a decimal that the provider's own data hold. */
export function decimal(text: string): Decimal {
  const read = readDecimal(text)
  if (read === undefined) {
    throw new Error(`${JSON.stringify(text)} is no decimal`)
  }
  return read
}

export function times(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale }
}

/** Rounded half up to a scale. */
export function over(dividend: Decimal, divisor: Decimal, scale: number): Decimal {
  const shift = scale + divisor.scale - dividend.scale
  const [above, below] =
    shift < 0 ? [dividend.digits, divisor.digits * power(-shift)] : [dividend.digits * power(shift), divisor.digits]
  return { digits: roundedHalfUp(above, below), scale }
}

/** Rounded half up to a scale. */
export function toScale(value: Decimal, scale: number): Decimal {
  return over(value, { digits: 1n, scale: 0 }, scale)
}

/** Without zeros at the end, but with as many decimals as are wanted. */
export function printDecimal({ digits, scale }: Decimal, decimalsMin: number): string {
  const sign = digits < 0n ? '-' : ''
  const all = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = all.slice(0, all.length - scale)
  const fraction = all
    .slice(all.length - scale)
    .replace(/0+$/, '')
    .padEnd(decimalsMin, '0')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** Of numbers that are not negative. */
function roundedHalfUp(above: bigint, below: bigint): bigint {
  return (2n * above + below) / (2n * below)
}

/** Exact decimal arithmetic on integers, rounded half up. */

/** `digits` divided by ten to the power of `scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

/** Parses a plain decimal such as `11.2425`; undefined when the text is not one. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]{1,15}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Parses a decimal from the provider's own data; throws when it is not one. */
export function decimal(text: string): Decimal {
  const read = parseDecimal(text)
  if (read === undefined) {
    throw new Error(`${JSON.stringify(text)} is no decimal`)
  }
  return read
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale }
}

/** Rounded half up to a scale. */
export function divide(dividend: Decimal, divisor: Decimal, scale: number): Decimal {
  const shift = scale + divisor.scale - dividend.scale
  const [above, below] =
    shift < 0 ? [dividend.digits, divisor.digits * power(-shift)] : [dividend.digits * power(shift), divisor.digits]
  return { digits: roundedHalfUp(above, below), scale }
}

/** Rounded half up to a scale. */
export function toScale(value: Decimal, scale: number): Decimal {
  return divide(value, { digits: 1n, scale: 0 }, scale)
}

/** Without trailing zeros, but with at least `decimalsMin` decimals. */
export function formatDecimal({ digits, scale }: Decimal, decimalsMin: number): string {
  const sign = digits < 0n ? '-' : ''
  const all = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = all.slice(0, all.length - scale)
  const fraction = all
    .slice(all.length - scale)
    .replace(/(?<!0)0+$/, '')
    .padEnd(decimalsMin, '0')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** For non-negative numbers. */
function roundedHalfUp(above: bigint, below: bigint): bigint {
  return (2n * above + below) / (2n * below)
}

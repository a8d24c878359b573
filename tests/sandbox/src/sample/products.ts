import { learnedField, readField } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { SeededRandom } from './random.ts';
import { adjectives, brands, cities, colours, phrases, products, sellers, sizes, tags } from './words.ts';

const SEED = 20_240_229;
/** The first integer that a double cannot hold. */
const FIRST_BARCODE = 9_007_199_254_740_993n;
const FIRST_DAY = 1_577_836_800;
const SECONDS_BETWEEN = 977;
const HUNDREDTHS = 100;
const TENTHS = 10;
const ID_DIGITS = 6;

const declared: readonly Record<string, JsonValue>[] = [
  { name: 'name', type: 'string', sort: true },
  { name: 'sku', type: 'string', sort: true },
  { name: 'description', type: 'string' },
  { name: 'brand', type: 'string', facet: true },
  { name: 'category', type: 'string', facet: true },
  { name: 'price', type: 'float' },
  { name: 'stock', type: 'int32' },
  { name: 'in_stock', type: 'bool', facet: true },
  { name: 'barcode', type: 'int64' },
  { name: 'added_at', type: 'int64' },
  { name: 'discount', type: 'float', optional: true },
  { name: 'tags', type: 'string[]', facet: true },
  { name: 'location', type: 'geopoint', optional: true },
  { name: 'seller', type: 'object' },
  { name: 'dimensions', type: 'object', optional: true },
  { name: 'offers', type: 'object[]', optional: true },
  { name: 'internal_note', type: 'string', optional: true, index: false },
];

/** The leaves a server has learned once it has seen the documents. */
const leaves: readonly (readonly [string, Field['type']])[] = [
  ['offers.vendor', 'string[]'],
  ['offers.size', 'string[]'],
  ['offers.price', 'float[]'],
  ['offers.colour', 'string[]'],
  ['dimensions.width_cm', 'float'],
  ['dimensions.weight_g', 'int64'],
  ['dimensions.height_cm', 'float'],
  ['seller.since', 'int64'],
  ['seller.rating', 'float'],
  ['seller.name', 'string'],
  ['seller.city', 'string'],
];

export const productFields = (): Field[] => [
  ...declared.flatMap((field) => readField(objectOf(Object.entries(field)), true) ?? []),
  ...leaves.map(([name, type]) => ({ ...learnedField(name, type), nested: true })),
];

/** Never integral, since a float that is would have to print as 12.0. */
const cents = (random: SeededRandom, from: number, to: number): number =>
  (random.integer(from, to) * HUNDREDTHS + random.integer(1, HUNDREDTHS - 1)) / HUNDREDTHS;

const tenths = (random: SeededRandom, from: number, to: number): number =>
  (random.integer(from, to) * TENTHS + random.integer(1, TENTHS - 1)) / TENTHS;

const PLACES = 100_000;

/** Within some five kilometres, and never a whole degree. */
const near = (random: SeededRandom, degrees: number): number =>
  (Math.round((degrees + (random.next() - 0.5) / TENTHS) * (PLACES / TENTHS)) * TENTHS + 1) / PLACES;

const makeOffers = (random: SeededRandom): JsonObject[] =>
  Array.from({ length: random.integer(1, 3) }, () => {
    const offer: JsonObject = {};
    if (random.chance(0.7)) offer['colour'] = random.pick(colours);
    offer['price'] = cents(random, 4, 380);
    if (random.chance(0.5)) offer['size'] = random.pick(sizes);
    if (random.chance(0.9)) offer['vendor'] = random.pick(sellers);
    return offer;
  });

const EMOJI = ['🧶', '🫖', '🌿', '🧭', '🎒'] as const;

export interface MadeProduct {
  readonly id: string;
  readonly text: string;
  readonly document: JsonObject;
}

/** Keys are written in the order the server stores them, so that the text is what it would answer. */
const makeProduct = (random: SeededRandom, at: number): MadeProduct => {
  const id = String(at + 1);
  const [noun, category] = random.pick(products);
  const [city, latitude, longitude] = random.pick(cities);
  const addedAt = FIRST_DAY + at * SECONDS_BETWEEN + random.integer(0, SECONDS_BETWEEN - 1);
  const brand = random.pick(brands);
  const phrase = random.pick(phrases);
  const note = random.chance(0.02);
  const rest: JsonObject = { brand, category, description: note ? `${phrase} ${random.pick(EMOJI)}` : phrase };
  if (random.chance(0.85)) {
    rest['dimensions'] = {
      height_cm: tenths(random, 2, 90),
      weight_g: random.integer(20, 12_000),
      width_cm: tenths(random, 2, 120),
    };
  }
  if (random.chance(0.2)) rest['discount'] = cents(random, 1, 60);
  const stock = random.chance(0.12) ? 0 : random.integer(1, 900);
  rest['id'] = id;
  rest['in_stock'] = stock > 0;
  if (note) rest['internal_note'] = `Ask ${random.pick(sellers)} about the next batch`;
  if (random.chance(0.75)) {
    rest['location'] = [near(random, latitude), near(random, longitude)];
  }
  rest['name'] = `${random.pick(adjectives)} ${noun}`;
  if (random.chance(0.8)) rest['offers'] = makeOffers(random);
  rest['price'] = cents(random, 3, 420);
  rest['seller'] = { city, name: random.pick(sellers), rating: tenths(random, 2, 4), since: random.integer(1989, 2023) };
  rest['sku'] = `${category.slice(0, 3).toUpperCase()}-${id.padStart(ID_DIGITS, '0')}`;
  rest['stock'] = stock;
  rest['tags'] = random.some(tags, random.integer(0, 4));
  const barcode = FIRST_BARCODE + BigInt(at) * 7n;
  const text = [`{"added_at":${addedAt},"barcode":${barcode},`, JSON.stringify(rest).slice(1)].join('');
  rest['added_at'] = addedAt;
  rest['barcode'] = barcode;
  return { id, text, document: rest };
};

export function* makeProducts(count: number): Generator<MadeProduct> {
  const random = new SeededRandom(SEED);
  for (let at = 0; at < count; at += 1) yield makeProduct(random, at);
}

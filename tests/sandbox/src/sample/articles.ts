import { float } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import { SeededRandom } from './random.ts';
import { firstNames, headlines, lastNames, phrases, sections, topics } from './words.ts';

const SEED = 1_204;
const ARTICLE_COUNT = 1_204;
const FIRST_MINUTE = 1_640_995_200;
const SECONDS_BETWEEN = 61_200;
const WORDS_A_MINUTE = 238;

const pad = (value: number): string => String(value).padStart(4, '0');

const makeAuthor = (random: SeededRandom): JsonObject => {
  const first = random.pick(firstNames);
  const last = random.pick(lastNames);
  const author: JsonObject = { name: `${first} ${last}` };
  if (random.chance(0.6)) author['contact'] = { email: `${first}.${last}@example.org`.toLowerCase() };
  if (random.chance(0.4)) author['followers'] = random.integer(12, 48_000);
  return author;
};

const makeComments = (random: SeededRandom): JsonObject[] =>
  Array.from({ length: random.integer(1, 4) }, () => {
    const comment: JsonObject = { text: random.pick(phrases) };
    if (random.chance(0.7)) comment['by'] = random.pick(firstNames);
    if (random.chance(0.5)) comment['likes'] = random.integer(0, 320);
    return comment;
  });

/** Documents of a collection without a declared schema: they agree on most fields and lack some. */
export function* makeArticles(): Generator<JsonObject> {
  const random = new SeededRandom(SEED);
  for (let at = 0; at < ARTICLE_COUNT; at += 1) {
    const topic = random.pick(topics);
    const words = random.integer(180, 4_200);
    const article: JsonObject = {
      id: `article-${pad(at + 1)}`,
      title: `${random.pick(headlines)} ${topic}`,
      section: random.pick(sections),
      author: makeAuthor(random),
      body: Array.from({ length: random.integer(2, 5) }, () => random.pick(phrases)).join(' '),
      topics: random.some(topics, random.integer(1, 3)),
      published: random.chance(0.9),
      published_at: FIRST_MINUTE + at * SECONDS_BETWEEN,
      words,
      reading_minutes: float(Math.round((words / WORDS_A_MINUTE) * 10) / 10),
    };
    if (random.chance(0.3)) article['subtitle'] = `With a detour by way of ${random.pick(topics)}`;
    if (random.chance(0.5)) article['comments'] = makeComments(random);
    if (random.chance(0.1)) article['correction'] = null;
    yield article;
  }
}

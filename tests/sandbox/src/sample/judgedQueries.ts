import type { JsonObject } from '../json/value.ts';
import { makeArticles } from './articles.ts';

/** The words that a reader types, the topic that they mean, and the headlines that answer them best; without any, each does. */
interface Intent {
  readonly query: string;
  readonly topic: string;
  readonly best?: readonly string[];
}

const INTENTS: readonly Intent[] = [
  { query: 'history of typewriters', topic: 'typewriters', best: ['A short history of'] },
  { query: 'beekeeping for beginners', topic: 'urban beekeeping', best: ["A beginner's guide to"] },
  { query: 'sourdough', topic: 'sourdough' },
  { query: 'bread', topic: 'sourdough' },
  { query: 'how to bake bread', topic: 'sourdough', best: ["A beginner's guide to", 'What we learned from'] },
  { query: 'winter swimming', topic: 'ice swimming' },
  { query: 'old maps', topic: 'paper maps' },
  { query: 'ferries', topic: 'ferry timetables' },
  { query: 'tide tables', topic: 'tide tables' },
  { query: 'church bells', topic: 'bell towers' },
  { query: 'birds', topic: 'city birds' },
  { query: 'the future of radio', topic: 'slow radio', best: ['The unlikely return of', 'Who still cares about'] },
];

const textOf = (article: JsonObject, field: string): string => {
  const value = article[field];
  return typeof value === 'string' ? value : '';
};

/** 3 for an article about the topic, with a headline that answers the words; 2 with another headline; 1 where it only touches the topic. */
const gradeOf = (article: JsonObject, { best, topic }: Intent): number => {
  const title = textOf(article, 'title');
  const topics = article['topics'];
  if (title.endsWith(` ${topic}`)) return best === undefined || best.some((headline) => title.startsWith(headline)) ? 3 : 2;
  return Array.isArray(topics) && topics.includes(topic) ? 1 : 0;
};

/** Queries of the articles of the sample with the grades that a reader would give, as a file of a query set: `query,key,grade`. */
export const judgedQueries = (): string => {
  const articles = [...makeArticles()];
  const lines = INTENTS.flatMap((intent) =>
    articles.flatMap((article) => {
      const grade = gradeOf(article, intent);
      return grade === 0 ? [] : [`${intent.query},${textOf(article, 'id')},${grade}`];
    }),
  );
  return `${['query,key,grade', ...lines].join('\n')}\n`;
};

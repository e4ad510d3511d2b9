export { MissingPage as default } from '@/src/ui/failures';

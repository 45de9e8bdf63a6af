/* libqrencode, for the tool alone: what it draws is no secret of the engine's, and no part of what is verified. */
#include <qrencode.h>

#include "text.h"

#include <stdarg.h>
#include <stdio.h>

bool fault(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error, ENGINE_ERROR_MAX, format, arguments);
    va_end(arguments);
    return false;
}
